/** An instant as people in a zone say it: `Fri, 20 Nov, 18:00:05`. */
export function instantText(at: Date, timeZone: string): string {
  const options = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(at);
}
