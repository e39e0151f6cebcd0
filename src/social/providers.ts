import type { AssistantPlatform } from '#src/assistant/port.ts';
import type { Transcripts } from '#src/assistant/transcript.ts';
import type { CallOptions } from '#src/operation/call.ts';
import type { PageOptions } from '#src/operation/platform.ts';
import type { Page } from '#src/paging/page.ts';
import type { Language } from './enumerations.ts';
import type { Gif } from './records/gathering.ts';

/** Who has GIFs to search through. */
export interface GifProvider {
  /** As `giphy`. */
  readonly name: string;
  /** One page, from the provider's own cursor on. */
  search(request: { readonly searchTerm: string }, options: PageOptions): Promise<Page<Gif>>;
}

/** A text in another language. */
export interface Translation {
  readonly text: string;
  readonly sourceLanguage?: string | undefined;
}

/** Who translates. */
export interface Translator {
  /** Stands in the answer, as `assistant`. */
  readonly name: string;
  translate(request: { readonly text: string; readonly language: Language }, options: CallOptions): Promise<Translation>;
}

/** What outlives the program. */
export interface SocialKeep {
  /** What was said to the assistant. */
  readonly transcripts?: Transcripts | undefined;
}

/** What `SocialAsync` uses where its platform lacks something; without one of them, what it is for is unsupported. */
export interface Providers {
  /** Answers, and translates where there is no `translator`. */
  readonly assistant?: AssistantPlatform | undefined;
  readonly gifs?: GifProvider | undefined;
  readonly translator?: Translator | undefined;
  readonly keep?: SocialKeep | undefined;
}
