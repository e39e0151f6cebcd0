/** Whether a text is the name of an IANA time zone, for example `Europe/Berlin`. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
