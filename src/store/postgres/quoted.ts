/** An identifier in quotation marks. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
