import { UserError } from '#src/errors.ts';
import type { SentBack } from '#src/secrets/sign-in.ts';

/** What the browser was sent back with: in an address, or a code alone, as a person pastes it. */
export function readSentBack(pasted: string): SentBack {
  const text = pasted.trim();
  const query = /^[\w.+-]+:\/\/|^\/|^localhost|[?&]code=|[?&]error=/u.test(text)
    ? new URLSearchParams(text.slice(text.indexOf('?') + 1))
    : undefined;
  if (!query) {
    if (/^\S+$/u.test(text)) return { code: text };
    throw new UserError('This is neither an address nor a code: copy the whole address line of the browser.');
  }
  const [code, state, error] = ['code', 'state', 'error'].map((name) => query.get(name) ?? undefined);
  if (error === 'access_denied') throw new UserError('It was refused in the browser: nobody is signed in.');
  if (error !== undefined) throw new UserError(`The platform refused: ${error.slice(0, 80).replaceAll(/[^\w .-]/gu, '')}.`);
  if (code === undefined) throw new UserError('There is no code in this address: copy it when the platform has sent you back.');
  return { code, state };
}
