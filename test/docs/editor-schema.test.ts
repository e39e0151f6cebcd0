import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ruleSchema } from '#src/rules/editor-schema.ts';
import { objectionsTo } from '../support/json-schema.ts';
import { catalogue } from '../support/rule-language.ts';
import { pageFiles, readPage } from './pages.ts';

const schema = ruleSchema(catalogue);
const rules = pageFiles().flatMap((file) => readPage(file).rules.map(({ id, source }) => [file, id, source] as const));

test.each(rules)('editors accept the rule of %s with the id %s', (_file, _id, source) => {
  expect(objectionsTo(parse(source), schema)).toEqual([]);
});
