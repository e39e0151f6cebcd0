import type { Falsehood } from './falsehood.ts';

/** Which gate keeps a firing back. */
export type Refusal =
  | { readonly kind: 'paused'; readonly by: string; readonly agoMs: number }
  | { readonly kind: 'if'; readonly because: Falsehood }
  /** It blew before. */
  | { readonly kind: 'fuseBlown'; readonly agoMs: number }
  /** It blows now. */
  | { readonly kind: 'fuseBlows'; readonly firings: number; readonly perMs: number; readonly most: number }
  | { readonly kind: 'cooldown'; readonly per: 'item' | 'rule'; readonly agoMs: number; readonly leftMs: number }
  | {
      readonly kind: 'quietHours';
      readonly fromMinute: number;
      readonly toMinute: number;
      readonly timezone: string;
      readonly leftMs: number;
    }
  | { readonly kind: 'single' }
  | { readonly kind: 'queueFull'; readonly waiting: number; readonly most: number }
  | { readonly kind: 'parallelFull'; readonly firings: number; readonly most: number };

/** Why an episode opened without a word. */
export type Silence =
  | Refusal
  /** The first look found it. */
  | { readonly kind: 'thereAlready' }
  /** The rule does not speak of who enters. */
  | { readonly kind: 'unasked' }
  /** The steps of `quiet` tell of it. */
  | { readonly kind: 'collected' }
  | { readonly kind: 'endedInQuiet' }
  | { readonly kind: 'old'; readonly ageMs: number; readonly maxAgeMs: number }
  /** It began while nothing was read, too long ago. */
  | { readonly kind: 'begunUnread'; readonly agoMs: number; readonly maxAgeMs: number; readonly unreadMs: number };

/** Why a firing is not sent, or not yet. */
export interface Hindrance {
  readonly kind: 'refused' | 'held';
  readonly by: Refusal;
}
