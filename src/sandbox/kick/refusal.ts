/** Kick says no. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A refusal as the API words it. */
export function apiRefusal(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ message, data: {} }, { status, headers });
}
