import type { Page } from 'playwright-core';

const ATTEMPTS = 30;
const PAUSE_MS = 50;

/**
 * Layout errors of the current page: horizontal overflow, columns without width, and overlapping texts. Texts are compared by their line
 * boxes, clipped to the visible part of their ancestors. A page may need some frames after a change of its width.
 */
export async function layoutProblems(page: Page): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt++) {
    const problems = await page.evaluate<string[]>(`(${script})()`);
    if (problems.length === 0 || attempt === ATTEMPTS) return problems;
    await page.waitForTimeout(PAUSE_MS);
  }
}

// A string, because tests are compiled without browser types.
const script = `() => {
  const problems = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) problems.push('the page is ' + root.scrollWidth + ' px wide');
  for (const cell of document.querySelectorAll('th, td')) {
    const isShown = cell.textContent.trim() !== '' && cell.checkVisibility();
    if (isShown && cell.getBoundingClientRect().width < 1) problems.push('no width: ' + cell.textContent);
  }
  const cut = (one, other) => ({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  });
  // Undefined for elements over the page (navigation, save bar) and hidden ones, whose texts may be anywhere.
  const visibleBox = (element) => {
    let box = { left: 0, top: -1e6, right: innerWidth, bottom: 1e6 };
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.position === 'fixed' || style.position === 'sticky') return undefined;
      if (style.opacity === '0' || style.clipPath !== 'none' || style.clip !== 'auto') return undefined;
      if (style.overflowX !== 'visible' || style.overflowY !== 'visible') box = cut(box, at.getBoundingClientRect());
    }
    return box;
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent.trim();
    if (text === '' || element.closest('svg, option, [aria-hidden=true], script, style')) continue;
    const shown = element.checkVisibility({ visibilityProperty: true }) ? visibleBox(element) : undefined;
    if (!shown) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      const box = cut(line, shown);
      if (box.right - box.left > 1 && box.bottom - box.top > 1) texts.push({ text, element, box });
    }
  }
  // Tolerance, because descenders extend slightly into the next line.
  const TOLERANCE_PX = 4;
  texts.forEach((one, index) => {
    for (const other of texts.slice(index + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const common = cut(one.box, other.box);
      if (common.right - common.left > TOLERANCE_PX && common.bottom - common.top > TOLERANCE_PX)
        problems.push(one.text.slice(0, 40) + ' covers ' + other.text.slice(0, 40));
    }
  });
  return problems.slice(0, 5);
}`;
