/** The kinds of code actions that the server has beside `quickfix`. Apart from the actions, so that to name them loads none. */

export const FIX_ALL = 'source.fixAll.skillComposer';

export const REFACTOR_KINDS: readonly string[] = ['refactor.extract', 'refactor.rewrite'];
