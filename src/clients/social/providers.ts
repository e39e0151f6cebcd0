import type { AssistantPlatform } from '#src/clients/assistant/port.ts';
import type { Transcripts } from '#src/clients/assistant/transcript.ts';
import type { CallOptions } from '#src/clients/operation/call.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { Language } from './enumerations.ts';
import type { Gif } from './records/discovery.ts';

/** A provider of GIFs. */
export interface GifProvider {
  /** The name, for example `giphy`. */
  readonly name: string;
  /** One page of results from the provider's cursor on. */
  search(request: { readonly searchTerm: string }, options: PageOptions): Promise<Page<Gif>>;
}

/** A translated text. */
export interface Translation {
  readonly text: string;
  readonly sourceLanguage?: string | undefined;
}

/** A translator. */
export interface Translator {
  /** The name in the result, for example `assistant`. */
  readonly name: string;
  translate(request: { readonly text: string; readonly language: Language }, options: CallOptions): Promise<Translation>;
}

/** A user whose new posts `getPostNotifications` returns, or a video. */
export interface Watched {
  readonly id: string;
  /** Earlier posts do not count as new. */
  readonly since: Date;
}

/** What one account watches, for platforms without such a list: users on X, and videos on YouTube. */
export interface WatchList {
  all(): Promise<readonly Watched[]>;
  /** What is watched already stays unchanged. */
  add(watched: Watched): Promise<void>;
  remove(id: string): Promise<void>;
}

/** A stored scheduled post. */
export interface LaterPost {
  readonly id: string;
  readonly account: string;
  readonly sendAt: Date;
  /** The parameters of `createPost`. */
  readonly params: JsonObject;
  /** `sending`: it has begun or comes next. */
  readonly state: 'scheduled' | 'sending' | 'failed';
}

/** The scheduled posts of platforms without a schedule. The store sends each of them once. */
export interface PostSchedule {
  /** Stores a post. A post with a known id stays unchanged. */
  keep(post: Omit<LaterPost, 'state'>): Promise<LaterPost>;
  find(account: string, id: string): Promise<LaterPost | undefined>;
  /** The unsent posts of an account, next first. */
  waiting(account: string): Promise<readonly LaterPost[]>;
  /** Drops a post; false if it has begun or was sent. */
  drop(account: string, id: string): Promise<boolean>;
}

/** The stores of a client. */
export interface SocialKeep {
  /** The conversations with the assistant. */
  readonly transcripts?: Transcripts | undefined;
  /** Scheduled posts. */
  readonly schedule?: PostSchedule | undefined;
}

/** Providers of operations that the platform lacks. Without its provider, such an operation is unsupported. */
export interface Providers {
  /** Answers, and translates if there is no `translator`. */
  readonly assistant?: AssistantPlatform | undefined;
  readonly gifs?: GifProvider | undefined;
  readonly translator?: Translator | undefined;
  readonly keep?: SocialKeep | undefined;
}
