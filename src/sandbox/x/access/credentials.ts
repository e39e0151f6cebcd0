/** The app that the sandbox's X knows, and what signs its account in. It opens nothing but a sandbox. */
export const credentials = {
  /** OAuth 2, of a confidential client. */
  clientId: 'SandboxXClientForFanfare0',
  clientSecret: 'sandbox-x-client-secret',
  /** OAuth 2, of a client that can keep no secret. */
  publicClientId: 'SandboxXNativeClient00000',
  /** Of the app, without any account. */
  bearerToken: 'AAAAAAAAAAAAAAAAAAAAASandboxXBearer',
  /** OAuth 1.0a. */
  apiKey: 'sandboxXApiKey',
  apiSecret: 'sandboxXApiSecret',
  accessSecret: 'sandboxXAccessSecret',
  /** The numbers under which X keeps the app and its owner. */
  appNumber: '31415926',
  accountNumber: '1753000000000000',
} as const;
