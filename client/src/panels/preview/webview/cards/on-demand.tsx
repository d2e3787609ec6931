/** The files that the body of a `SKILL.md` leads to: a model reads them when it needs them. */
import { Link } from '../../../kit/controls.tsx';
import { Icon } from '../../../kit/icons.tsx';
import { grouped, t, tCount } from '../../../kit/l10n.ts';
import { top } from '../../../kit/place.ts';
import type { ShownFile } from '../../messages.ts';
import type { Actions, ViewProps } from '../model.ts';
import { Card } from './card.tsx';

export function OnDemand({ model, actions }: ViewProps) {
  const { clients: view } = model;
  if (!view) return null;
  const { files, moreFiles, unreadFiles } = view;
  return (
    <Card level="demand" model={model} actions={actions}>
      {files.length === 0 && <p class="quiet">{t('The body leads to no other file.')}</p>}
      <ul class="bundled">
        {files.map((file) => (
          <File key={file.uri} file={file} actions={actions} />
        ))}
      </ul>
      {moreFiles > 0 && (
        <p class="quiet">{tCount(moreFiles, '1 more file is left out.', '{0} more files are left out.')}</p>
      )}
      {unreadFiles > 0 && (
        <p class="quiet">
          {tCount(
            unreadFiles,
            '1 file of the folder is not looked at: at most 200 are, each up to 1 MB.',
            '{0} files of the folder are not looked at: at most 200 are, each up to 1 MB.',
          )}
        </p>
      )}
    </Card>
  );
}

function File({ file, actions }: { readonly file: ShownFile; readonly actions: Actions }) {
  const { uri, path, link, tokens, isTooLarge } = file;
  if (file.isThere === false) {
    return (
      <li class="missing">
        <Icon name="warning" />
        <Link title={t('Go to the link')} onClick={() => actions.reveal(link, true)}>
          {path}
        </Link>
        <span>{t('is not there')}</span>
      </li>
    );
  }
  return (
    <li>
      <Link title={t('Open the file')} onClick={() => actions.reveal({ uri, range: top }, true)}>
        {path}
      </Link>
      <span class="figure quiet">
        {tokens !== undefined ? t('about {0}', grouped(tokens)) : isTooLarge ? t('over 1 MB') : t('not counted')}
      </span>
    </li>
  );
}
