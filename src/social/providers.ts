import type { AssistantPlatform } from '#src/assistant/port.ts';
import type { Transcripts } from '#src/assistant/transcript.ts';
import type { CallOptions } from '#src/operation/call.ts';
import type { JsonObject } from '#src/operation/json.ts';
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

/** Somebody whose new posts `getPostNotifications` shows. */
export interface Watched {
  /** The platform's id of the user. */
  readonly id: string;
  /** Posts before it are none of the new ones. */
  readonly since: Date;
}

/** Who is watched through one account, where its platform keeps no such list itself; the adapter is given it. */
export interface WatchList {
  all(): Promise<readonly Watched[]>;
  /** Who is watched already stays as they are. */
  add(watched: Watched): Promise<void>;
  remove(id: string): Promise<void>;
}

/** A post that is kept until its time. */
export interface LaterPost {
  readonly id: string;
  readonly account: string;
  readonly sendAt: Date;
  /** As `createPost` takes it. */
  readonly params: JsonObject;
  /** `sending`: it has begun, or its turn comes next. */
  readonly state: 'scheduled' | 'sending' | 'failed';
}

/** Posts that are kept until their time, where a platform keeps none itself; whoever keeps them sees to it that each goes out once. */
export interface PostSchedule {
  /** Keeps a post; one that is there under the same id stays as it is. */
  keep(post: Omit<LaterPost, 'state'>): Promise<LaterPost>;
  find(account: string, id: string): Promise<LaterPost | undefined>;
  /** Those of an account that are not on the platform, the next first. */
  waiting(account: string): Promise<readonly LaterPost[]>;
  /** True: it does not go out. False: it has begun to, or did. */
  drop(account: string, id: string): Promise<boolean>;
}

/** What outlives the program. */
export interface SocialKeep {
  /** What was said to the assistant. */
  readonly transcripts?: Transcripts | undefined;
  /** Posts for later. */
  readonly schedule?: PostSchedule | undefined;
}

/** What `SocialAsync` uses where its platform lacks something; without one of them, what it is for is unsupported. */
export interface Providers {
  /** Answers, and translates where there is no `translator`. */
  readonly assistant?: AssistantPlatform | undefined;
  readonly gifs?: GifProvider | undefined;
  readonly translator?: Translator | undefined;
  readonly keep?: SocialKeep | undefined;
}
