const NO_CONNECTION =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS.*|ERR_SSL.*|CERT_.*|.*SELF_SIGNED.*|UNABLE_TO_.*)$/;

/** Whether a request that failed with `error` certainly never left: there was no connection to send it on. */
export function neverLeft(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && NO_CONNECTION.test(error.code);
}
