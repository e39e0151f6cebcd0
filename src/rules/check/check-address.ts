import type { Path } from '#src/rules/document/report.ts';
import { isBarePath, isTemplate } from '#src/rules/grammar/template.ts';
import type { CheckContext } from './check-context.ts';

const SCHEME = /^(?:https?|discord|attachment):\/\//iu;
/** A server and a slash, as in `twitch.tv/`. */
const BARE_SERVER = /^[\w-]+(?:\.[\w-]+)+(?:\/|$)/u;

/** Reports an address that Discord refuses, together with its message: it has no scheme, or it names a file of this machine. */
export function checkAddress(text: string, path: Path, { document, report }: Pick<CheckContext, 'document' | 'report'>): void {
  const start = text.split('${{', 1)[0] ?? '';
  const hasServer = BARE_SERVER.test(start);
  const isPossible = isTemplate(text) ? !hasServer : text === '' || (SCHEME.test(text) && URL.canParse(text));
  if (isPossible) return;
  const hint = isBarePath(text)
    ? `write "\${{ ${text} }}"`
    : hasServer
      ? `write https://${text}`
      : 'write an address that begins with https://; for a file of this machine, use files';
  report.error(document.locationOf(path), 'impossible-address', `${text} is not an address: Discord refuses the whole message`, hint);
}
