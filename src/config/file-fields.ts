import { z } from 'zod';

/** A secret in the file: the variable of the environment that holds it. */
export const SECRET = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/u;

/** The name of a variable with a secret. */
export const secret = (about: string) =>
  z
    .string()
    .regex(SECRET, { error: 'secrets stand in the environment, not in this file: write ${NAME} here, and NAME=… into .env' })
    .describe(about);

/** A text that is no secret. */
export const plain = () =>
  z
    .string()
    .min(1)
    .refine((text) => !text.includes('${'), { error: 'only secrets come out of the environment: write it as it is', abort: true });

/** The address of a server. */
export const address = (about: string) =>
  plain().refine(isAddress, { error: 'an address that begins with http:// or https:// is wanted' }).describe(about);

/** An IANA zone. */
export const zone = (about: string) =>
  plain().refine(isZone, { error: 'there is no such time zone: write it as Europe/Berlin' }).describe(about);

/** A language by its code. */
export const language = (about: string) =>
  plain().refine(isLanguage, { error: 'this is not a language code: write it as de, en or pt-BR' }).describe(about);

function isLanguage(code: string): boolean {
  try {
    return new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(code) !== undefined;
  } catch {
    return false;
  }
}

function isAddress(text: string): boolean {
  return /^https?:\/\//u.test(text) && URL.canParse(text);
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
