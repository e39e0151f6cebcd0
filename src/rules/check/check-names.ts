import type { Declared } from '#src/clients/operation/declared.ts';
import { isJsonList, isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Path } from '#src/rules/document/report.ts';
import { acceptedAddress, acceptedLink } from '#src/clients/operation/accepted-address.ts';
import { INVISIBLE } from '#src/clients/operation/text/characters.ts';
import { nameInPage } from '#src/rules/grammar/channel-page.ts';
import { isBarePath, isTemplate } from '#src/rules/grammar/template.ts';
import { mergeShapes } from '#src/rules/shape/operation-shapes.ts';
import { shapeOf, type Shape } from '#src/rules/shape/shape.ts';
import type { CheckContext } from './check-context.ts';

/** Reports names that no user can have, addresses that Discord refuses, and in reads, lists without an element, which select nothing. */
export function checkNames({ params, kind }: Declared, value: Json, base: Path, { document, report }: CheckContext): void {
  function walk(part: Json | undefined, shape: Shape | undefined, path: Path): void {
    if (shape?.kind === 'record' && isJsonObject(part)) {
      for (const [key, inside] of Object.entries(part)) walk(inside, shape.fields.get(key)?.shape, [...path, key]);
    } else if (shape?.kind === 'list' && isJsonList(part)) {
      if (part.length === 0 && kind !== 'write') {
        const name = String(path.at(-1));
        report.error(document.locationOf(path), 'empty-list', `${name} is an empty list`, `name at least one, or remove ${name}`);
      }
      for (const [index, inside] of part.entries()) walk(inside, shape.of, [...path, index]);
    } else if (shape?.kind === 'either') {
      walk(part, mergeShapes(shape), path);
    } else if (shape?.kind === 'text' && shape.isAddress === true && typeof part === 'string') {
      checkAddress(part, path, { document, report });
    } else if (shape?.kind === 'text' && shape.isUser === true && typeof part === 'string' && !isTemplate(part)) {
      const issue = userIssue(part.trim());
      // The other users of the list may exist, so the rule still runs with the address of a page.
      if (issue) report[issue.isPage ? 'warning' : 'error'](document.locationOf(path), 'impossible-user', issue.message, issue.hint);
    }
  }
  walk(value, shapeOf(params), base);
}

interface UserIssue {
  readonly message: string;
  readonly hint: string;
  /** Whether the name is the address of the page of a user. */
  readonly isPage?: boolean;
}

/** Why no user can have a name; undefined: a user can have it. */
export function userIssue(name: string): UserIssue | undefined {
  const [invisible] = name.match(INVISIBLE) ?? [];
  if (invisible !== undefined) {
    const code = `U+${invisible.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    return {
      message: `${JSON.stringify(name.replaceAll(INVISIBLE, ''))} contains the invisible character ${code}`,
      hint: 'delete the name, and type it again',
    };
  }
  const page = nameInPage(name);
  if (page !== undefined) return { message: `no user can have the name ${JSON.stringify(name)}`, hint: `write ${page}`, isPage: true };
  if (!/[\s,;"“”„‟‘’‚«»‹›<>]/u.test(name)) return undefined;
  return {
    message: `no user can have the name ${JSON.stringify(name)}`,
    hint: 'write the handle, as in the address of the profile; write each user as a separate element',
  };
}

const HOST_HINT = 'write an address whose host has a dot, of at most 2048 characters, or 512 in a button';
const SCHEME = /^(?:https?|discord|attachment):\/\//iu;
/** A server and a slash, as in `twitch.tv/`. */
const BARE_SERVER = /^[\w-]+(?:\.[\w-]+)+(?:\/|$)/u;

/** Reports an address that Discord does not accept: it has no scheme, or it names a file of this machine. Fanfare sends the message without it. */
function checkAddress(text: string, path: Path, { document, report }: Pick<CheckContext, 'document' | 'report'>): void {
  const start = text.split('${{', 1)[0] ?? '';
  const hasServer = BARE_SERVER.test(start);
  const isPossible = isTemplate(text) ? !hasServer : text === '' || (SCHEME.test(text) && URL.canParse(text));
  if (isPossible) {
    // The message is sent without the address.
    const accepted = path.at(-3) === 'buttons' ? acceptedLink : acceptedAddress;
    const isRefused = !isTemplate(text) && /^(?:https?|discord):/iu.test(text) && accepted(text) === undefined;
    if (isRefused)
      report.warning(
        document.locationOf(path),
        'impossible-address',
        `Discord does not accept ${text}: the message is sent without it`,
        HOST_HINT,
      );
    return;
  }
  const hint = isBarePath(text)
    ? `write "\${{ ${text} }}"`
    : hasServer
      ? `write https://${text}`
      : 'write an address that begins with https://; for a file of this machine, use files';
  report.error(document.locationOf(path), 'impossible-address', `${text} is not an address: the message is sent without it`, hint);
}
