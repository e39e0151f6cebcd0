import type { APIEmbed } from 'discord.js';
import type { Title, Words } from '../language/words.ts';
import type { Asker } from '../asker.ts';
import type { Suggestion } from '../commands/command.ts';

/** What somebody gave with a command, by the English names of its options. */
export type Given = Readonly<Record<string, string>>;

/** A value that an option takes. */
export interface FieldChoice {
  readonly value: string;
  readonly name: (words: Words) => string;
}

/** An option of a command. */
export interface Field {
  readonly title: (words: Words) => Title;
  readonly required?: boolean | undefined;
  readonly choices?: readonly FieldChoice[] | undefined;
  /** What somebody means by what they typed, the same for whoever reads it later; throws where it can be nothing. */
  readonly parse?: ((typed: string, asker: Asker) => string) | undefined;
  /** What may be meant by what is typed so far; `given` is what stands in the other options. */
  readonly suggest?: ((typed: string, given: Given, asker: Asker) => Promise<readonly Suggestion[]>) | undefined;
}

/** What is looked up. */
export interface LookRequest {
  /** The same for the same look-up. */
  readonly key: string;
  readonly given: Given;
  /** From 0. */
  readonly page: number;
  readonly asker: Asker;
}

/** What was found. */
export interface Sight {
  readonly content: string;
  readonly embeds: readonly APIEmbed[];
  /** Whether there is a page behind this one. */
  readonly more: boolean;
  /** Where to go from here. */
  readonly links?: readonly { readonly label: string; readonly url: string | undefined }[] | undefined;
}

/** Something that can be looked up, page by page, and again. */
export interface View {
  /** The subcommand that asks for it; absent: the command itself. */
  readonly title?: ((words: Words) => Title) | undefined;
  readonly fields: readonly Field[];
  look(request: LookRequest): Promise<Sight>;
}
