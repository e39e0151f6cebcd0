import type { z } from 'zod';
import { isShared, optionsOf } from './signature-text.ts';
import type { CallArgument, CallOption, CallSignature } from './call-signature.ts';
import { defaultOf, fieldsOf, innerRows, meaningOf } from './fields.ts';
import { code, table } from './markdown.ts';
import { limitText } from './type-text.ts';

type Field = readonly [name: string, schema: z.core.$ZodType];

/** A table of the positional arguments and the options of a call. Shared options are not included. */
export function argumentTable(calls: readonly CallSignature[], params: z.ZodType): string {
  const fields = fieldsOf(params);
  const rows = new Map<string, readonly (readonly string[])[]>();
  for (const call of calls) {
    for (const [index, argument] of call.args.filter(({ options }) => !options).entries()) {
      // In rules, the argument may have another name.
      rows.set(argument.name, rowsOf(argument, fields.find(([name]) => name === argument.name) ?? fields[index]));
    }
    for (const option of optionsOf(call).filter((one) => !isShared(one))) {
      const field = fields.find(([name]) => name === option.name);
      rows.set(option.name, rowsOf(option, field));
    }
  }
  return rows.size === 0 ? '' : table(['parameter', 'type', 'default', 'meaning'], [...rows.values()].flat());
}

/** A table of the options that all calls or all writes share. */
export function sharedTable(calls: readonly CallSignature[]): string {
  const options = calls.flatMap(optionsOf).filter((option) => isShared(option) && option.doc !== '');
  const byName = new Map(options.map((option) => [option.name, option]));
  return table(
    ['option', 'type', 'meaning'],
    [...byName.values()].map(({ name, type, doc }) => [code(name), code(type), doc]),
  );
}

function rowsOf(argument: CallArgument | CallOption, field: Field | undefined): readonly (readonly string[])[] {
  const [key, schema] = field ?? [];
  const name = key === undefined || key === argument.name ? code(argument.name) : `${code(argument.name)}, in rules ${code(key)}`;
  const limit = schema ? limitText(schema) : '';
  const defaultText = argument.optional ? (schema && defaultOf(schema)) || 'none' : 'required';
  const doc = 'doc' in argument ? argument.doc : '';
  const type = [code(argument.type), limit].filter((part) => part !== '').join(', ');
  const row = [name, type, defaultText, doc || (schema ? meaningOf(schema) : '')];
  return [row, ...(schema ? innerRows(argument.name, schema) : [])];
}
