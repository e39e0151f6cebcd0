import { PlatformError, ValidationError, type ParameterPart } from '#src/errors.ts';
import { isJsonList, type JsonObject } from './json.ts';

/** A part that a message is sent without, with the reason. */
export interface Omission {
  /** The parameter, for example `files`. */
  readonly parameter: string;
  /** The index of the part; absent if the whole parameter has no effect. */
  readonly index?: number | undefined;
  readonly message: string;
}

/** Awaits an optional part before the write. An error names the part. */
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

/** As `forPart`, for a part that the platform rejects or does not know. Other failures concern the whole write. */
export async function forRefusedPart<T>(part: ParameterPart, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const isRefused = error instanceof PlatformError && (error.fault === 'rejected' || error.fault === 'missing');
    return isRefused ? forPart(part, Promise.reject<T>(error)) : Promise.reject<T>(error);
  });
}

/** The optional part that an error names; undefined for other errors. */
export function omissionOf(error: unknown): Omission | undefined {
  const hasPart = error instanceof PlatformError || error instanceof ValidationError;
  return hasPart && error.part ? { ...error.part, message: error.message } : undefined;
}

/** The parameters without the omitted parts. Each index counts after the omissions before it. */
export function withoutParts(params: JsonObject, omitted: readonly Pick<Omission, 'parameter' | 'index'>[] = []): JsonObject {
  return omitted.reduce<JsonObject>((left, { parameter, index }) => {
    const list = left[parameter];
    return isJsonList(list) && index !== undefined ? { ...left, [parameter]: list.toSpliced(index, 1) } : left;
  }, params);
}

/** Tries each element of a list, and returns those that fail. */
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

/** The message of an omission. */
export function omissionText({ parameter, index, message }: Omission): string {
  return `without ${index === undefined ? parameter : `${parameter} ${index + 1}`}: ${message}`;
}
