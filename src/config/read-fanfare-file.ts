import { isMap } from 'yaml';
import type { z } from 'zod';
import { ACCOUNT_FORMS, FanfareFile, FileOutline, type FileMistake } from './file-form.ts';
import { withoutSecrets } from '#src/redact.ts';
import { isJsonObject, type Json } from '#src/operation/json.ts';
import { issuesOf } from '#src/rules/check/schema-issues.ts';
import { valueAt, withoutAt } from '#src/rules/check/json-path.ts';
import { plainValue, TooLarge } from '#src/rules/document/plain-value.ts';
import { readDocument } from '#src/rules/document/read-document.ts';
import { Report, type Path } from '#src/rules/document/report.ts';
import type { RuleDocument } from '#src/rules/document/rule-document.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { shapeOf } from '#src/rules/shape/shape.ts';
import { closestName } from '#src/rules/messages/closest-name.ts';
import { formatList } from '#src/rules/messages/format.ts';
import { plainSecrets } from './plain-secrets.ts';

/** `fanfare.yaml` as it was read, and the places of everything in it. */
export interface ReadFile {
  /** What of it is of the form; absent: too little for more to be said. */
  readonly file?: FanfareFile | undefined;
  /** Adds what cannot be, though its form is right. */
  report(mistakes: readonly FileMistake[]): void;
  /** All that is wrong with it, in its order, without what may be a secret. */
  readonly diagnostics: readonly Diagnostic[];
}

const SIZE = { what: 'fanfare.yaml', mostCharacters: 65_536 };

/** Reads the text of `fanfare.yaml`; `name` is what the file is called in diagnostics. */
export function readFanfareFile(name: string, source: string): ReadFile {
  const report = new Report(name, source);
  const clean = withoutSecrets(plainSecrets(source));
  const says = source.split(/\r?\n/u).some((line) => /^\s*[^\s#]/u.test(line));
  const document = says ? readDocument(protectVariables(source), report, SIZE) : undefined;
  const file = says ? document && readForm(document, report) : {};
  return {
    file,
    report: (mistakes) => document && mistakes.forEach((mistake) => tell(mistake, document, report)),
    get diagnostics() {
      return report.diagnostics.map((diagnostic) => ({
        ...diagnostic,
        path: clean(diagnostic.path),
        message: clean(diagnostic.message),
        hint: diagnostic.hint && clean(diagnostic.hint),
        excerpt: clean(diagnostic.excerpt),
      }));
    },
  };
}

// Between braces YAML takes ${NAME} for a map: it is kept from that by marks that no text has, as long as those that they stand for.
const VARIABLE = /\$\{([^\s{}]*)\}/gu;
const PROTECTED = /\$\uE000([^\uE001]*)\uE001/gu;

function protectVariables(source: string): string {
  return source.replace(VARIABLE, '$$\uE000$1\uE001');
}

function withVariables(value: Json): Json {
  return JSON.parse(JSON.stringify(value).replace(PROTECTED, '$${$1}')) as Json; // what was JSON is JSON again
}

function readForm(document: RuleDocument, report: Report): FanfareFile | undefined {
  if (!isMap(document.nodeAt([]))) {
    report.error(
      document.locationOf([]),
      'wrong-value',
      'the file is no map of keys and values',
      'it begins with accounts:, defaults: or discord:',
    );
    return undefined;
  }
  const value = valueOf(document, report);
  if (value === undefined) return undefined;
  const wasReadable = !report.hasErrors;
  const left = checkForm(FileOutline, [], value, { document, report });
  const accounts = valueAt(left, ['accounts']);
  for (const name of Object.keys(isJsonObject(accounts) ? accounts : {})) {
    const platform = valueAt(accounts, [name, 'platform']);
    const form = Object.entries(ACCOUNT_FORMS).find(([known]) => known === platform)?.[1];
    if (form) checkForm(form, ['accounts', name], value, { document, report });
  }
  if (!wasReadable) return undefined;
  // With an account left out, others would be called wrong that name it.
  return FanfareFile.safeParse({ ...(isJsonObject(left) ? left : {}), accounts: valueAt(value, ['accounts']) }).data;
}

function valueOf(document: RuleDocument, report: Report): Json | undefined {
  try {
    const value = plainValue(document, [], shapeOf(FanfareFile));
    return value && withVariables(value);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    report.error({ path: [], offset: 0 }, 'too-large', 'the file is larger inside than any configuration is');
    return undefined;
  }
}

/** Says how what stands at a path differs from its form, and gives the whole without that. */
function checkForm(
  form: z.ZodType,
  above: Path,
  value: Json,
  { document, report }: { readonly document: RuleDocument; readonly report: Report },
): Json | undefined {
  let left: Json | undefined = value;
  for (const { kind, path, message, hint } of issuesOf(form, valueAt(value, above))) {
    if (kind === 'missing-key' && report.hasUnreadableLines) continue;
    const place = [...above, ...path];
    const isKey = kind === 'unknown-key';
    report.error(isKey ? document.keyLocation(place.slice(0, -1), String(place.at(-1))) : document.locationOf(place), kind, message, hint);
    left = withoutAt(left, place);
  }
  return left;
}

function tell({ path, isKey, message, hint, unknown }: FileMistake, document: RuleDocument, report: Report): void {
  const spot = isKey ? document.keyLocation(path.slice(0, -1), String(path.at(-1))) : document.locationOf(path);
  report.error(spot, 'wrong-value', message, hint ?? (unknown && knownHint(unknown)));
}

function knownHint({ name, known }: NonNullable<FileMistake['unknown']>): string {
  const meant = closestName(name, known);
  if (meant !== undefined) return `did you mean ${meant}?`;
  return known.length > 0 ? `there is ${formatList(known)}` : 'there is none: connect one';
}
