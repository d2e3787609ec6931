/** Whether this runs in Node, or else in a worker of a browser: one bundle serves both. */
declare const process: { readonly versions?: { readonly node?: string } } | undefined;

export const isNode = (): boolean => typeof process !== 'undefined' && process?.versions?.node !== undefined;
