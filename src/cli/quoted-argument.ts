/** Texts that mean the same in the double quotes of every shell, including those of Windows. */
const PLAIN = /^[\p{L}\p{N} ,.:;?_@/+'’-]*$/u;
/** Texts that mean the same in the single quotes of the other shells. fish reads a backslash there, and PowerShell ends them at any single quote. */
const LITERAL = /^[^\\'‘’‚‛]*$/u;

/**
 * A text as one argument of a printed command. A text can come from a platform, for example the title of a stream as an answer, so a shell must not run
 * anything in it. Undefined: the shells have no common quotes for this text.
 */
export function quotedArgument(text: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (PLAIN.test(text)) return `"${text}"`;
  return platform !== 'win32' && LITERAL.test(text) ? `'${text}'` : undefined;
}
