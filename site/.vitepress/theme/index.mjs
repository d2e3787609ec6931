import { onContentUpdated } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import './site.css';

/** Scrolls the sidebar to the current page, because the list of rules is longer than the screen. */
function showCurrent() {
  const isBeside = window.matchMedia('(min-width: 960px)').matches;
  const current = document.querySelectorAll('.VPSidebarItem.is-link.is-active');
  if (isBeside) [...current].at(-1)?.scrollIntoView({ block: 'nearest' });
}

export default {
  extends: theme,
  // The sidebar marks the current page after the content has changed.
  setup: () => onContentUpdated(() => requestAnimationFrame(showCurrent)),
};
