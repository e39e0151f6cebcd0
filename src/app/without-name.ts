/** A message without the name that it begins with, where the name is said already: those of platforms begin with theirs, which is mostly the account's. */
export function withoutName(message: string, name: string): string {
  return message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;
}
