// A picture of the price list for WhatsApp Status, drawn by the phone itself: no server draws for anybody.
import { useEffect, useState } from "react";
import { PICTURE_PAPER } from "../src/shared/colors.ts";

type Props = {
  heading: string;
  /** The networks with their sizes and prices. */
  networks: { name: string; color: string; prices: [size: string, price: string][] }[];
  /** The day of these prices. */
  day: string;
};

/** The size of a status on a phone. */
const WIDTH = 1080;
const HEIGHT = 1920;
const MARGIN = 80;

const COLORS = {
  paper: PICTURE_PAPER,
  ink: "#ffffff",
  soft: "#bfe3da",
};

export function PricePicture(props: Props) {
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  if (!isReady) return null;
  return (
    <button className="quiet" type="button" onClick={() => void save(props)}>
      Picture for Status
    </button>
  );
}

/** Shares the picture where the phone can, else saves it. */
async function save(props: Props): Promise<void> {
  const blob = await new Promise<Blob | null>((resolve) => draw(props).toBlob(resolve, "image/png"));
  if (!blob) return;
  const file = new File([blob], "prices.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    // Whoever closes the phone's dialog has decided against sharing.
    await navigator.share({ files: [file] }).catch(() => {});
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

type Row = { name: string; color: string } | { size: string; price: string };

const TOP = 280;
const BOTTOM = 200;
/** Rows in one column; a longer list has two. */
const ROWS_MAX = 16;

function draw({ heading, networks, day }: Props): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = COLORS.paper;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.textBaseline = "middle";
  const width = WIDTH - 2 * MARGIN;
  write(pen, heading, { x: MARGIN, y: 170, size: 76, color: COLORS.ink, width });
  write(pen, day, { x: MARGIN, y: HEIGHT - 110, size: 44, color: COLORS.soft, width });
  const rows = networks.flatMap(({ name, color, prices }): Row[] => [
    { name, color },
    ...prices.map(([size, price]) => ({ size, price })),
  ]);
  drawRows(pen, rows);
  return canvas;
}

function drawRows(pen: CanvasRenderingContext2D, rows: Row[]): void {
  const columns = rows.length > ROWS_MAX ? 2 : 1;
  const perColumn = Math.ceil(rows.length / columns);
  const height = Math.min(110, (HEIGHT - TOP - BOTTOM) / perColumn);
  const width = (WIDTH - 2 * MARGIN - (columns - 1) * MARGIN) / columns;
  const size = Math.min(height * 0.56, fittingSize(pen, rows, width));
  for (const [i, row] of rows.entries()) {
    const x = MARGIN + Math.floor(i / perColumn) * (width + MARGIN);
    const y = TOP + ((i % perColumn) + 0.5) * height;
    if ("name" in row) {
      write(pen, row.name, { x, y, size: size * 1.1, color: row.color, width });
    } else {
      write(pen, row.size, { x, y, size, color: COLORS.ink, width });
      write(pen, row.price, { x: x + width, y, size, color: COLORS.soft, width, isEnd: true });
    }
  }
}

/** The largest size at which every row fits beside its price. */
function fittingSize(pen: CanvasRenderingContext2D, rows: Row[], width: number): number {
  pen.font = fontOf(100);
  const widest = rows.map((row) => ("name" in row ? 0 : pen.measureText(`${row.size}  ${row.price}`).width));
  return (100 * width) / Math.max(1, ...widest);
}

const fontOf = (size: number) => `600 ${Math.round(size)}px system-ui, sans-serif`;

type Text = { x: number; y: number; size: number; color: string; width: number; isEnd?: boolean };

function write(pen: CanvasRenderingContext2D, text: string, { x, y, size, color, width, isEnd }: Text): void {
  pen.font = fontOf(size);
  pen.fillStyle = color;
  pen.textAlign = isEnd ? "right" : "left";
  pen.fillText(text, x, y, width);
}
