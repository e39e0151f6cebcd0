import { isMap } from 'yaml';
import type { z } from 'zod';
import { DEFINITIONS } from './accounts.ts';
import { FanfareFile, FileOutline, type FileMistake } from './fanfare-file.ts';
import { plainSecrets } from './plain-secrets.ts';
import { withoutSecrets } from '#src/log.ts';
import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import { issuesOf, type Issue } from '#src/rules/check/schema-issues.ts';
import { valueAt, withoutAt } from '#src/rules/check/json-path.ts';
import { plainValue, TooLarge } from '#src/rules/document/plain-value.ts';
import { readDocument } from '#src/rules/document/read-document.ts';
import { Report, type Path } from '#src/rules/document/report.ts';
import type { RuleDocument } from '#src/rules/document/rule-document.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { shapeOf } from '#src/rules/shape/shape.ts';
import { closestName, knownNameHint } from '#src/clients/operation/closest-name.ts';

/** The content and the diagnostics of `fanfare.yaml`. */
export interface ReadFile {
  /** The valid part of the file; undefined if the file is unreadable. */
  readonly file?: FanfareFile | undefined;
  /** Adds mistakes that the schema does not find. */
  report(mistakes: readonly FileMistake[]): void;
  /** The diagnostics in the order of the file, without possible secrets. */
  readonly diagnostics: readonly Diagnostic[];
}

const SIZE = { what: 'fanfare.yaml', mostCharacters: 65_536 };

/** Reads the text of `fanfare.yaml`. Diagnostics contain `name` as the file. */
export function readFanfareFile(name: string, source: string): ReadFile {
  const report = new Report(name, source);
  const clean = withoutSecrets(plainSecrets(source));
  const hasContent = source.split(/\r?\n/u).some((line) => /^\s*[^\s#]/u.test(line));
  const document = hasContent ? readDocument(protectVariables(source), report, SIZE) : undefined;
  const file = hasContent ? document && readForm(document, report) : {};
  return {
    file,
    report: (mistakes) => document && mistakes.forEach((mistake) => reportMistake(mistake, document, report)),
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

// Between braces, YAML reads ${NAME} as a map. Private-use characters of the same length replace the braces, so columns stay right.
const VARIABLE = /\$\{([^\s{}]*)\}/gu;
const PROTECTED = /\$\uE000([^\uE001]*)\uE001/gu;

function protectVariables(source: string): string {
  return source.replace(VARIABLE, '$$\uE000$1\uE001');
}

function withVariables(value: Json): Json {
  return JSON.parse(JSON.stringify(value).replace(PROTECTED, '$${$1}')) as Json; // the replacement keeps it JSON
}

function readForm(document: RuleDocument, report: Report): FanfareFile | undefined {
  if (!isMap(document.nodeAt([]))) {
    report.error(
      document.locationOf([]),
      'wrong-value',
      'expected a map of keys and values',
      'start the file with accounts:, defaults: or discord:',
    );
    return undefined;
  }
  const value = valueOf(document, report);
  if (value === undefined) return undefined;
  const wasReadable = !report.hasErrors;
  const outline = checkForm(FileOutline, [], value, { document, report });
  const accounts = valueAt(outline, ['accounts']);
  for (const name of Object.keys(isJsonObject(accounts) ? accounts : {})) {
    const platform = valueAt(accounts, [name, 'platform']);
    const form = DEFINITIONS.find((definition) => definition.platform === platform)?.form;
    if (form) checkForm(form, ['accounts', name], value, { document, report });
  }
  if (!wasReadable) return undefined;
  // The accounts are complete here: without one, valid references to it would be mistakes.
  return FanfareFile.safeParse({ ...(isJsonObject(outline) ? outline : {}), accounts: valueAt(value, ['accounts']) }).data;
}

function valueOf(document: RuleDocument, report: Report): Json | undefined {
  try {
    const value = plainValue(document, [], shapeOf(FanfareFile));
    return value && withVariables(value);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    report.error({ path: [], offset: 0 }, 'too-large', 'the file has too many values', 'remove some of them');
    return undefined;
  }
}

/** Reports how the value at a path differs from its schema. Returns the document without the invalid parts. */
function checkForm(
  form: z.ZodType,
  above: Path,
  value: Json,
  { document, report }: { readonly document: RuleDocument; readonly report: Report },
): Json | undefined {
  let valid: Json | undefined = value;
  const at = valueAt(value, above);
  for (const { kind, path, message, hint } of issuesOf(form, at).map((issue) => asMisspelling(issue, at))) {
    if (kind === 'missing-key' && report.hasUnreadableLines) continue;
    const place = [...above, ...path];
    const isKey = kind === 'unknown-key';
    report.error(isKey ? document.keyLocation(place.slice(0, -1), String(place.at(-1))) : document.locationOf(place), kind, message, hint);
    valid = withoutAt(valid, place);
  }
  return valid;
}

/** The platform decides which keys an account has, so without it no other key is unknown. */
function asMisspelling(issue: Issue, value: Json | undefined): Issue {
  const key = String(issue.path.at(-1));
  const above = issue.path.slice(0, -1);
  const map = valueAt(value, above);
  if (issue.kind !== 'missing-key' || !isJsonObject(map)) return issue;
  const misspelled = Object.keys(map).find((name) => closestName(name, [key]) !== undefined);
  if (misspelled === undefined) return issue;
  return { path: [...above, misspelled], kind: 'unknown-key', message: `unknown key: ${misspelled}`, hint: `did you mean ${key}?` };
}

function reportMistake({ path, isKey, message, hint, unknown }: FileMistake, document: RuleDocument, report: Report): void {
  const spot = isKey ? document.keyLocation(path.slice(0, -1), String(path.at(-1))) : document.locationOf(path);
  const nameHint = unknown && knownNameHint(unknown.name, unknown.known, 'connect an account with npx fanfare auth');
  report.error(spot, 'wrong-value', message, hint ?? nameHint);
}
