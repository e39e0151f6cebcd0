import type { CallArgument, CallOption, CallSignature } from './call-signature.ts';

const LINE = 110;
/** Options that many calls share, in the order in which they are written. */
const SHARED: readonly string[] = ['pages', 'waitTime', 'cursor', 'key', 'since', 'signal'];

export function isShared({ name }: CallOption): boolean {
  return SHARED.includes(name);
}

/** The options of a call: its own, then those that others have, too. */
export function optionsOf({ args }: CallSignature): readonly CallOption[] {
  const options = args.flatMap((argument) => argument.options ?? []);
  return options.toSorted((a, b) => SHARED.indexOf(a.name) - SHARED.indexOf(b.name));
}

/** One way to call a method as its declaration would have it, over as many lines as it needs. */
export function signatureText(name: string, call: CallSignature): string {
  const end = `): ${call.returns}`;
  const flat = call.args.map((argument) => argumentText(argument, call, '; '));
  const line = `${name}(${flat.join(', ')}${end}`;
  if (line.length <= LINE) return line;
  const lines = call.args.map((argument, index) => {
    const short = `  ${flat[index]},`;
    return short.length <= LINE ? short : `  ${argumentText(argument, call, ';\n    ')},`;
  });
  return [`${name}(`, ...lines, end].join('\n');
}

function argumentText({ name, optional, type, options }: CallArgument, call: CallSignature, between: '; ' | ';\n    '): string {
  const mark = optional ? '?' : '';
  if (!options) return `${name}${mark}: ${type}`;
  const fields = optionsOf(call).map((option) => `${option.name}${option.optional ? '?' : ''}: ${option.type}`);
  const [open, close] = between === '; ' ? ['{ ', ' }'] : ['{\n    ', ';\n  }'];
  return `${name}${mark}: ${open}${fields.join(between)}${close}`;
}
