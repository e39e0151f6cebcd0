/** What a file is to who sees it. */
type MediumKind = 'image' | 'gif' | 'video' | 'audio';

/** A file that is to go to a platform: read whole, and looked at. */
export interface Medium {
  readonly content: Uint8Array<ArrayBuffer>;
  /** Its media type, by its content, as `image/png`. */
  readonly type: string;
  readonly kind: MediumKind;
  /** As a file is called, with an ending of its type. */
  readonly name: string;
  /** Of what is seen. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Of a moving picture: how many it is made of. */
  readonly frames?: number | undefined;
}

/** What a platform takes. */
export interface MediaLimits {
  /** The platform, as errors name it. */
  readonly platform: string;
  /** The types that it takes, as `image/png`; absent: all. */
  readonly types?: readonly string[] | undefined;
  /** The most bytes of each kind; a kind that is not named is not taken. */
  readonly mostBytes: Readonly<Partial<Record<MediumKind, number>>>;
  /** The longest side of a picture, in pixels. */
  readonly longestSide?: number | undefined;
  /** The most pixels of a picture. */
  readonly mostPixels?: number | undefined;
  /** The most of a moving picture, where that is less. */
  readonly moving?: { readonly mostWidth: number; readonly mostHeight: number; readonly mostFrames: number } | undefined;
}
