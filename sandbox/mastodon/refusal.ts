import { Refusal } from '../refusal.ts';

export const recordNotFound = (): Refusal => new Refusal(404, 'Record not found');
export const routeNotFound = (): Refusal => new Refusal(404, 'Not Found');
export const notAllowed = (): Refusal => new Refusal(403, 'This action is not allowed');
export const tooManyRequests = (): Refusal => new Refusal(429, 'Too many requests');

/** 422 for a value that the server does not accept. */
export const invalid = (message: string): Refusal => new Refusal(422, `Validation failed: ${message}`);
