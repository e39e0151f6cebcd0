import { PlatformError, ValidationError, type ParameterPart } from '#src/errors.ts';
import { isJsonList, type JsonObject } from './json.ts';

/** A part that a message was sent without, and why. */
export interface Omission extends ParameterPart {
  readonly reason: string;
}

/** Gets a part that a write can do without, before anything is written: an error names the part. */
export async function forPart<T>(part: ParameterPart, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PlatformError) {
      const { platform, fault, status, retryAt } = error;
      throw new PlatformError(error.message, { platform, fault, status, retryAt, part, cause: error });
    }
    if (error instanceof ValidationError) throw new ValidationError(error.message, { path: error.path, part, cause: error });
    throw error;
  }
}

/** As `forPart`, but only for what the platform refuses or does not know; other failures are those of the platform. */
export async function forRefusedPart<T>(part: ParameterPart, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const isRefused = error instanceof PlatformError && (error.fault === 'rejected' || error.fault === 'missing');
    return isRefused ? forPart(part, Promise.reject<T>(error)) : Promise.reject<T>(error);
  });
}

/** The part that an error is about, if it is about one that a write can do without. */
export function omissionOf(error: unknown): Omission | undefined {
  const hasPart = error instanceof PlatformError || error instanceof ValidationError;
  return hasPart && error.part ? { ...error.part, reason: error.message } : undefined;
}

/** The parameters without some parts; each index counts in what the omissions before it left. */
export function withoutParts(params: JsonObject, omitted: readonly ParameterPart[] = []): JsonObject {
  return omitted.reduce<JsonObject>((left, { parameter, index }) => {
    const list = left[parameter];
    return isJsonList(list) ? { ...left, [parameter]: list.toSpliced(index, 1) } : left;
  }, params);
}

/** The elements of a list that cannot be had, by trying each. */
export async function missingAmong<T>(
  parameter: string,
  list: readonly T[],
  get: (one: T) => Promise<unknown>,
): Promise<readonly Omission[]> {
  const tried = list.map(async (one, index) => {
    try {
      await forPart({ parameter, index }, get(one));
      return [];
    } catch (error) {
      const omission = omissionOf(error);
      if (!omission) throw error;
      return [omission];
    }
  });
  return (await Promise.all(tried)).flat();
}

/** An omission in English. */
export function omissionText({ parameter, index, reason }: Omission): string {
  return `without ${parameter} ${index + 1}: ${reason}`;
}
