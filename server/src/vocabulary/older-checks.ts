/** The older spelling of assertions: `check` instead of, or in addition to, `type` (docs/testing.md, "Assertions"). */

export interface OlderCheck {
  readonly check: string;
  readonly type: string;
  /** The unit of a length. */
  readonly unit?: string;
}

export const OLDER_CHECKS: readonly OlderCheck[] = [
  { check: 'json_schema', type: 'structural' },
  { check: 'char_range', type: 'length' },
  { check: 'token_range', type: 'length', unit: 'tokens' },
  { check: 'llm_eval', type: 'semantic' },
];

export const olderCheck = (check: string | undefined): OlderCheck | undefined =>
  OLDER_CHECKS.find((one) => one.check === check);
