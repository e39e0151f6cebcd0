/** Where an item stood. */
export interface Standing {
  readonly rank?: number | undefined;
  readonly viewers?: number | undefined;
}

/** What happened to an item, with what a reader wants to know of it. */
export type Happened =
  | { readonly kind: 'entered'; readonly standing: Standing }
  | { readonly kind: 'left' }
  | { readonly kind: 'moved'; readonly went: 'up' | 'down'; readonly from?: number | undefined; readonly to?: number | undefined }
  | { readonly kind: 'changed'; readonly fields: readonly FieldChange[] }
  | {
      readonly kind: 'rose' | 'fell';
      readonly field: string;
      readonly lines: readonly number[];
      readonly is?: number | undefined;
      readonly was?: number | undefined;
    };

/** The values are JSON; absent: there is none. */
interface FieldChange {
  readonly field: string;
  readonly is?: string | undefined;
  readonly was?: string | undefined;
}
