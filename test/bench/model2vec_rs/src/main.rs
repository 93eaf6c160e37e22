// Encodes the lines of a file with a model folder; prints the seconds that it took.
use model2vec_rs::model::StaticModel;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let model = StaticModel::from_pretrained(&args[1], None, None, None)?;
    let text = std::fs::read_to_string(&args[2])?;
    let lines: Vec<String> = text.lines().map(String::from).collect();
    let start = std::time::Instant::now();
    let out = model.encode_with_args(&lines, None, 1024);
    eprintln!("{}", out.len());
    println!("{}", start.elapsed().as_secs_f64());
    Ok(())
}
