import type { z } from 'zod';
import { isShared, optionsOf } from './signature-text.ts';
import type { CallArgument, CallOption, CallSignature } from './call-signature.ts';
import { defaultOf, fieldsOf, innerRows, meaningOf } from './fields.ts';
import { code, table } from './markdown.ts';
import { limitText } from './type-text.ts';

type Field = readonly [name: string, schema: z.core.$ZodType];

/** What a call takes, one line each: what stands in front, then its own options. */
export function argumentTable(calls: readonly CallSignature[], params: z.ZodType): string {
  const fields = fieldsOf(params);
  const rows = new Map<string, readonly (readonly string[])[]>();
  for (const call of calls) {
    for (const [index, argument] of call.args.filter(({ options }) => !options).entries()) {
      // A rule may know it by another name.
      rows.set(argument.name, rowsOf(argument, fields.find(([name]) => name === argument.name) ?? fields[index]));
    }
    for (const option of optionsOf(call).filter((one) => !isShared(one))) {
      const field = fields.find(([name]) => name === option.name);
      rows.set(option.name, rowsOf(option, field));
    }
  }
  return rows.size === 0 ? '' : table(['parameter', 'type', 'default', 'meaning'], [...rows.values()].flat());
}

/** The options that every call or every write takes, by what their declarations say. */
export function sharedTable(calls: readonly CallSignature[]): string {
  const options = calls.flatMap(optionsOf).filter((option) => isShared(option) && option.doc !== '');
  const byName = new Map(options.map((option) => [option.name, option]));
  return table(
    ['option', 'type', 'meaning'],
    [...byName.values()].map(({ name, type, doc }) => [code(name), code(type), doc]),
  );
}

function rowsOf(given: CallArgument | CallOption, field: Field | undefined): readonly (readonly string[])[] {
  const [key, schema] = field ?? [];
  const name = key === undefined || key === given.name ? code(given.name) : `${code(given.name)}, in rules ${code(key)}`;
  const limit = schema ? limitText(schema) : '';
  const without = given.optional ? (schema && defaultOf(schema)) || 'none' : 'required';
  const doc = 'doc' in given ? given.doc : '';
  const type = [code(given.type), limit].filter((part) => part !== '').join(', ');
  const row = [name, type, without, doc || (schema ? meaningOf(schema) : '')];
  return [row, ...(schema ? innerRows(given.name, schema) : [])];
}
