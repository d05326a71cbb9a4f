// Saves a chart as PNG: the server's image of the same view, drawn on a canvas at twice its size.

const SCALE = 2;

function theme() {
  const { theme: chosen } = document.documentElement.dataset;
  return chosen ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

/** Offers the image at this URL for download as PNG; throws if it can't be fetched. */
export async function savePng(address) {
  const url = new URL(address);
  url.searchParams.set("theme", theme());
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${url}`);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(await response.text())}`; // the CSP doesn't allow blob:
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const png = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(png);
  link.download = `${url.pathname.split("/").filter(Boolean).slice(0, -1).join("-") || "slogdb"}.png`;
  link.click();
  URL.revokeObjectURL(link.href);
}
