/** A right that Fanfare asks an account for. */
export interface Scope {
  /** As the platform calls it. */
  readonly name: string;
  /** What Fanfare does with it. */
  readonly why: string;
}

/** What the platform sent the browser back with. */
export interface SentBack {
  readonly code: string;
  /** The state that the sign-in put into its address; it proves that the answer belongs to this sign-in. */
  readonly state: string;
}

/** A sign-in that waits for a person to say yes in a browser. */
interface OpenSignIn {
  /** Where the person says yes. */
  readonly url: string;
  /** The state in that address, which the answer has to bring back. */
  readonly state: string;
  /** The tokens for the answer, in the form in which the adapter reads them, and the names of the rights that came with them. */
  finish(answer: SentBack, signal?: AbortSignal): Promise<{ readonly tokens: object; readonly scopes: readonly string[] }>;
}

/** How somebody signs in to a platform in a browser. */
export interface BrowserSignIn {
  readonly scopes: readonly Scope[];
  /** Begins one whose answer goes to `redirectUri`. */
  begin(redirectUri: string, signal?: AbortSignal): Promise<OpenSignIn>;
}
