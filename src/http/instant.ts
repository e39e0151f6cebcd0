const ZONELESS = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/;

/** The instant that `text` names, as ISO 8601 or an HTTP date; without a zone it is UTC. */
export function parseInstant(text: string): Date | undefined {
  const zoneless = ZONELESS.exec(text.trim());
  const instant = new Date(zoneless ? `${zoneless[1]}T${zoneless[2]}Z` : text);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}
