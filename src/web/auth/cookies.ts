import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

/** A cookie of the sign-in. Over HTTPS, its name binds it to this host (`__Host-`), so that no other subdomain can set it. */
export interface SecretCookie {
  read(c: Context, isHttps: boolean): string | undefined;
  write(c: Context, value: string, options: { readonly isHttps: boolean; readonly lifetimeMs?: number | undefined }): void;
  remove(c: Context, isHttps: boolean): void;
}

/** Declares a cookie that scripts cannot read, and that browsers do not send with requests of other websites. */
export function secretCookie(name: string): SecretCookie {
  const optionsOf = (isHttps: boolean) =>
    ({ path: '/', httpOnly: true, sameSite: 'Lax', secure: isHttps, ...(isHttps && { prefix: 'host' as const }) }) as const;
  return {
    read: (c, isHttps) => (isHttps ? getCookie(c, name, 'host') : getCookie(c, name)),
    write(c, value, { isHttps, lifetimeMs }) {
      setCookie(c, name, value, { ...optionsOf(isHttps), ...(lifetimeMs !== undefined && { maxAge: Math.floor(lifetimeMs / 1000) }) });
    },
    remove: (c, isHttps) => void deleteCookie(c, name, optionsOf(isHttps)),
  };
}
