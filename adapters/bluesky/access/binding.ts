import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Session } from './session.ts';

export interface BindingOptions {
  /** As it is configured. */
  readonly url: string;
  readonly appPassword: string | undefined;
}

/** Binds a session to the address and the app password that opened it. */
export interface Binding {
  bind(session: Session): Session;
  /** A session that was kept without a binding holds only where there is no app password to open another one with. */
  holds(session: Session): boolean;
}

export function binding({ url, appPassword }: BindingOptions): Binding {
  const hashOf = (salt: string): string =>
    createHmac('sha256', Buffer.from(salt, 'base64url'))
      .update(appPassword ?? '')
      .digest('base64url');

  return {
    bind(session) {
      const salt = randomBytes(16).toString('base64url');
      const opened = appPassword === undefined ? session.bound : { url, salt, hash: hashOf(salt) };
      return { ...session, bound: opened ?? { url } };
    },
    holds({ bound }) {
      if (!bound) return appPassword === undefined;
      if (bound.url !== url) return false;
      const { salt, hash } = bound;
      if (appPassword === undefined || salt === undefined || hash === undefined) return true;
      return timingSafeEqual(Buffer.from(hashOf(salt)), Buffer.from(hash.padEnd(43).slice(0, 43)));
    },
  };
}
