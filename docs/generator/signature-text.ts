import type { CallArgument, CallOption, CallSignature } from './call-signature.ts';

const LINE = 110;
/** The options that many calls share, in the documented order. */
const SHARED: readonly string[] = ['pages', 'waitTime', 'cursor', 'key', 'since', 'signal'];

export function isShared({ name }: CallOption): boolean {
  return SHARED.includes(name);
}

/** The options of a call, the shared ones last. */
export function optionsOf({ args }: CallSignature): readonly CallOption[] {
  const options = args.flatMap((argument) => argument.options ?? []);
  return options.toSorted((a, b) => SHARED.indexOf(a.name) - SHARED.indexOf(b.name));
}

/** The signature of a method, on several lines if it is long. */
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
  const suffix = optional ? '?' : '';
  if (!options) return `${name}${suffix}: ${type}`;
  const fields = optionsOf(call).map((option) => `${option.name}${option.optional ? '?' : ''}: ${option.type}`);
  const [open, close] = between === '; ' ? ['{ ', ' }'] : ['{\n    ', ';\n  }'];
  return `${name}${suffix}: ${open}${fields.join(between)}${close}`;
}
