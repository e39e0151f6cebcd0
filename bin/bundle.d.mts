export interface BundleOptions {
  /** Packages that the bundle imports from `node_modules`. */
  readonly external?: readonly (string | RegExp)[];
  readonly isReadable?: boolean;
}

/** Writes one file per entry of `input`, a source by the name of its file, and the chunks that entries share. */
export function bundleInto(dir: string, input: Readonly<Record<string, string>>, options?: BundleOptions): Promise<void>;
