/** The settings that features are answered by, as the client sent them last. */
import { CODE_LENSES } from '../../features/code-lens.ts';
import { INLAY_HINTS } from '../../features/inlay-hints.ts';
import type { CodeLensSettings, InlayHintSettings, Settings } from '../../protocol.ts';

export class FeatureSettings {
  codeLens: CodeLensSettings = CODE_LENSES;
  inlayHints: InlayHintSettings = INLAY_HINTS;
  formats = true;

  /** Takes settings in; says what is to be shown anew. */
  set({ codeLens, inlayHints, format }: Settings): { readonly lenses: boolean; readonly hints: boolean } {
    const [lenses, hints] = [
      { ...CODE_LENSES, ...codeLens },
      { ...INLAY_HINTS, ...inlayHints },
    ];
    const changed = { lenses: differ(lenses, this.codeLens), hints: differ(hints, this.inlayHints) };
    this.codeLens = lenses;
    this.inlayHints = hints;
    this.formats = format?.enable !== false;
    return changed;
  }
}

const differ = (a: object, b: object): boolean => JSON.stringify(a) !== JSON.stringify(b);
