/** The field parameters and fields that X refuses in a 400. */
export class RefusedFields {
  /** The names in the message: fields, expansions or parameters. */
  readonly names: ReadonlySet<string>;
  /** The parameters with a problem; empty if X names none. */
  readonly parameters: ReadonlySet<string>;

  constructor(texts: readonly string[], parameters: readonly string[]) {
    this.names = new Set(texts.flatMap(namesIn));
    this.parameters = new Set(parameters);
  }
}

/** The part of a message that lists what X accepts instead. */
const ACCEPTED_INSTEAD = /is not one of \[.*\]/gs;
const NAME = /[a-z][a-z_]*(?:\.[a-z_]+)*/g;

/** The names of fields in a message, for example `author_id` or `referenced_tweets.id`. A plain word counts in brackets and quotation marks only. */
function namesIn(text: string): readonly string[] {
  const relevant = text.replace(ACCEPTED_INSTEAD, '');
  const quoted = Array.from(relevant.matchAll(/\[([^\]]*)\]|`([^`]*)`|"([^"]*)"|'([^']*)'/g), (found) => found.slice(1).join(''));
  const compound = (relevant.match(NAME) ?? []).filter((name) => /[_.]/.test(name));
  return [...quoted.flatMap((part) => part.split(',').map((name) => name.trim())), ...compound];
}

/** The text of a refusal without what X accepts instead. */
export function withoutAccepted(text: string): string {
  return text.replace(ACCEPTED_INSTEAD, '');
}
