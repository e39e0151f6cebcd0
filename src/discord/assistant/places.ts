import type { AnswerPlaces, ConversationPoint } from '#src/store/answer-places.ts';

/** Where somebody speaks with the assistant. */
export interface Spot {
  readonly channel: string;
  readonly person: string;
  /** Whether the channel is a thread that grew from an answer: then all in it speak of the same. */
  readonly isThread: boolean;
  readonly isPrivate: boolean;
}

/** The name of the place: what is asked there goes on from the last answer. */
export function placeOf({ channel, person, isThread, isPrivate }: Spot): string {
  if (isPrivate) return `${channel}/${person}/private`;
  return isThread ? channel : `${channel}/${person}`;
}

/** Whether a place is a thread, in which all speak of the same. */
export function isThreadPlace(place: string): boolean {
  return !place.includes('/');
}

/** From which answer it goes on there: the one that is replied to, the last one of the place, or the one that a thread grew from. */
export async function pointOf(
  places: AnswerPlaces,
  { replyTo, ...spot }: Spot & { readonly replyTo?: string | undefined },
): Promise<ConversationPoint | undefined> {
  const replied = replyTo === undefined ? undefined : await places.findMessage(replyTo);
  const last = replied ?? (await places.findPlace(placeOf(spot)));
  if (last === 'empty') return undefined;
  // A thread has the id of the message from which it grew.
  return last ?? (spot.isThread && !spot.isPrivate ? places.findMessage(spot.channel) : undefined);
}

/** Where somebody is. */
export async function spotOf(places: AnswerPlaces, spot: Omit<Spot, 'isThread'>): Promise<Spot> {
  const { channel } = spot;
  const isThread = (await places.findMessage(channel)) !== undefined || (await places.findPlace(channel)) !== undefined;
  return { ...spot, isThread };
}
