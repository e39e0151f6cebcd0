/** The exit code of each kind of end. The reference of the command line explains them. */
export const EXIT_CODES = { success: 0, failure: 1, usage: 2, bug: 70 } as const;
