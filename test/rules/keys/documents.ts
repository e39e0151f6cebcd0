import { globSync, readFileSync } from 'node:fs';
import { accountsOf } from '#src/app/accounts.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { DEFINITIONS } from '#src/config/accounts.ts';
import { FanfareFile } from '#src/config/fanfare-file.ts';
import { readFanfareFile } from '#src/config/read-fanfare-file.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { valueAt } from '#src/rules/check/json-path.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { RuleFile } from '#src/rules/grammar/rule-file.ts';
import { shapeAt, shapeOf } from '#src/rules/shape/shape.ts';
import { readRuleTests } from '#src/engine/testing/read-rule-tests.ts';
import { TestFile } from '#src/engine/testing/test-file.ts';
import { pageFiles, readPage } from '../../docs/pages.ts';
import { withPart } from '../../docs/rule-parts.ts';
import { fieldsRead, type ExpressionField } from './expression-fields.ts';
import { documentKeys, type DocumentKey, type ShapeOf } from './document-keys.ts';

/** A key of a shipped file or of a page, and the check of this file. */
export interface CheckedKey extends DocumentKey {
  readonly file: string;
  readonly check: (source: string) => readonly Diagnostic[];
}

/** A field that an expression reads, and the check of its file. */
export interface CheckedField extends ExpressionField, Pick<CheckedKey, 'file' | 'check'> {}

const accounts = accountsOf(configOfEnvironment({}));
const nowMs = Date.parse('2026-11-20T12:00:00Z');

/** Every key of every shipped rule and of the rules in pages. */
export function ruleKeys(): readonly CheckedKey[] {
  return ruleSources().flatMap(([file, source]) =>
    keysOf({
      file,
      source,
      shapeOf: ruleShape,
      check: checkAs(file),
    }),
  );
}

/** Every field that an expression of a shipped rule or of a page reads, for example `title` in `item.title`. */
export function ruleFields(): readonly CheckedField[] {
  return ruleSources().flatMap(([file, source]) => fieldsRead(source).map((field) => ({ ...field, file, check: checkAs(file) })));
}

/** Every key of every shipped test file and of the tests in pages. */
export function testKeys(): readonly CheckedKey[] {
  const shipped = globSync('rules/*.test.yaml').map((file) => [file, readFileSync(file, 'utf8')] as const);
  const tests = [...shipped, ...pages().flatMap(([file, page]) => page.tests.map(({ source }) => [file, source] as const))];
  const whole = shapeOf(TestFile);
  return tests.flatMap(([file, source]) =>
    keysOf({ file, source, shapeOf: (path) => shapeAt(whole, path), check: (text) => readRuleTests({ file, source: text }).diagnostics }),
  );
}

/** Every key of every fanfare.yaml: the shipped one and those of pages. */
export function configKeys(): readonly CheckedKey[] {
  const pageConfigs = pages().flatMap(([file, { configs }]) => configs.map((source) => [file, source] as const));
  return [['fanfare.yaml', readFileSync('fanfare.yaml', 'utf8')] as const, ...pageConfigs].flatMap(([file, source]) =>
    keysOf({ file, source, shapeOf: configShape, check: (text) => readFanfareFile(file, text).diagnostics }),
  );
}

function ruleSources(): readonly (readonly [file: string, source: string])[] {
  const shipped = globSync('rules/*.yaml', { exclude: ['rules/*.test.yaml'] }).map((file) => [file, readFileSync(file, 'utf8')] as const);
  return [...shipped, ...pages().flatMap(([file, { rules: blocks, parts }]) => rulesOf(file, blocks, parts))];
}

function checkAs(file: string): CheckedKey['check'] {
  return (source) => checkRule({ file, source, catalogue, accounts, nowMs }).diagnostics;
}

function pages(): readonly (readonly [string, ReturnType<typeof readPage>])[] {
  return pageFiles().map((file) => [file, readPage(file)] as const);
}

function rulesOf(
  file: string,
  blocks: readonly { readonly source: string }[],
  parts: readonly string[],
): readonly (readonly [string, string])[] {
  const [first] = blocks;
  const variations = first && file.startsWith('docs/guides/') ? parts.map((part) => withPart(first.source, part)) : [];
  return [...blocks.map(({ source }) => source), ...variations].map((source) => [file, source] as const);
}

interface CheckedDocument extends Pick<CheckedKey, 'file' | 'check'> {
  readonly source: string;
  readonly shapeOf: ShapeOf;
}

function keysOf({ file, source, shapeOf: shape, check }: CheckedDocument): readonly CheckedKey[] {
  return documentKeys(source, shape).map((key) => Object.assign(key, { file, check }));
}

/** The shape of a map in a rule: below `with`, the parameters of the operation. */
const ruleShape: ShapeOf = (path, document) => {
  const at = path.indexOf('with');
  if (at === -1) return shapeAt(shapeOf(RuleFile), path);
  const above = path.slice(0, at);
  const verb = valueAt(document, [...above, above[0] === 'when' ? 'watch' : 'do']);
  const declared = typeof verb === 'string' ? catalogue.get(verb) : undefined;
  return declared && shapeAt(shapeOf(declared.params), path.slice(at + 1));
};

const configShape: ShapeOf = (path, document) => {
  if (path[0] !== 'accounts' || path.length < 2) return shapeAt(shapeOf(FanfareFile), path);
  const platform = valueAt(document, [...path.slice(0, 2), 'platform']);
  const form = DEFINITIONS.find((one) => one.platform === platform)?.form;
  return form && shapeAt(shapeOf(form), path.slice(2));
};
