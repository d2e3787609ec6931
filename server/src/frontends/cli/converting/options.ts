/** The options of `skill-composer convert`. */
import type { ConversionTarget } from '../../../exchange/conversion.ts';

export interface ConvertOptions {
  readonly cwd: string;
  readonly files: readonly string[];
  readonly config: string | undefined;
  readonly to: ConversionTarget;
  /** The IDs of the clients that read a `SKILL.md`; undefined for the target clients. */
  readonly clients: readonly string[] | undefined;
  readonly out: string | undefined;
  readonly report: 'pretty' | 'json';
  readonly force: boolean;
  /** True to write nothing, and to compare the targets with the results. */
  readonly check: boolean;
  readonly quiet: boolean;
}
