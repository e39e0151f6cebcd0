/** A refusal as the API words it. */
export function apiRefusal(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ message, data: {} }, { status, headers });
}
