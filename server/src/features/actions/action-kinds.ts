/**
 * The kinds of code actions other than `quickfix`. Other code can import the kinds from this file without the actions.
 */

export const FIX_ALL = 'source.fixAll.skillComposer';

export const REFACTOR_KINDS: readonly string[] = ['refactor.extract', 'refactor.rewrite'];
