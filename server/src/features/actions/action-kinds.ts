/** The kinds of code actions other than `quickfix`. In a separate file, so that importing them loads no actions. */

export const FIX_ALL = 'source.fixAll.skillComposer';

export const REFACTOR_KINDS: readonly string[] = ['refactor.extract', 'refactor.rewrite'];
