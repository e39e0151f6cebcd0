import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { findSql } from './sql-texts.ts';

test.for([
  ['a tagged template', 'sql`where id = 1`', 'where'],
  ['an argument of a driver', "database.exec('begin immediate')", 'begin'],
  ['a constant', "const OPEN = 'insert into account'; client.query(OPEN)", 'insert'],
  ['a part of a constant', "const HELD = 'with held'; const all = `${HELD} select`; database.prepare(all)", 'with'],
  ['the result of a function', "function put() { return 'insert into episode' } CompiledQuery.raw(put())", 'insert'],
  ['an appended part', "let text = 'update delivery'; text = `${text} and more`; CompiledQuery.raw(filled(db, text))", ' and more'],
] as const)('SQL is %s', ([, source, sql]) => {
  expect(findSql(parseSync('a.ts', source).program)(source.indexOf(sql) - 1)).toBe(true);
});

test.for([
  ['the beginning with a keyword', "log.info('create a key with openssl')", 'create'],
  ['a constant that no driver gets', "const HINT = 'update Fanfare'; database.exec('begin')", 'update'],
  ['a parameter of a statement', "client.query('select 1', ['with a file'])", 'with'],
  ['the body of a function with the name of a driver', "function prepare() { log.info('where to look') } options.prepare(client)", 'where'],
] as const)('prose is %s', ([, source, prose]) => {
  expect(findSql(parseSync('a.ts', source).program)(source.indexOf(prose) - 1)).toBe(false);
});
