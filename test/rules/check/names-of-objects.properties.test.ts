import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseDocument, visit, type Scalar } from 'yaml';
import { chosen, runs } from '../../support/property.ts';
import { check } from '../../support/rule-language.ts';

/** Names that each JavaScript object has. A table that is an object has a value for each of them. */
const NAMES = ['constructor', '__proto__'];
const NAMES_AT_A_PLACE = runs(1, NAMES.length);
const PLACE_STEP = runs(3, 1);

const FILES = globSync('rules/*.yaml', { exclude: ['rules/*.test.yaml'] }).toSorted();

/**
 * Copies of a file. In each, one key or value is one of the names. The short run takes each third place and the names in turns.
 */
function* replaced(source: string): Generator<string> {
  const document = parseDocument(source);
  const scalars: Scalar[] = [];
  visit(document, { Scalar: (_key, node) => void scalars.push(node) });
  for (const [place, scalar] of scalars.entries()) {
    if (place % PLACE_STEP !== 0) continue;
    const { value } = scalar;
    for (let turn = 0; turn < NAMES_AT_A_PLACE; turn++) {
      scalar.value = chosen(NAMES, Math.floor(place / PLACE_STEP) + turn);
      yield document.toString();
    }
    scalar.value = value;
  }
}

test.for(FILES)('names of properties of objects, as keys and values of %s, are checked as other text', (file) => {
  const source = readFileSync(file, 'utf8');

  for (const text of replaced(source))
    for (const { message, hint = '' } of check(text).diagnostics)
      expect(`${message}: ${hint}`).not.toMatch(/native code|\[object|undefined/u);
});
